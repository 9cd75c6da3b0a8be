// Line icons on a square of 24; drawn for this page.
const paths = {
  add: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  board: 'M3 5h18v14H3zM6 8v2.5M10 8v2.5M14 8v2.5M18 8v2.5M3 12h18M6 14v2.5M10 14v2.5M14 14v2.5M18 14v2.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  device: 'M7 3h10v18H7zM11 18h2',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  first: 'M18 6l-7 6 7 6zM7 6v12',
  flag: 'M6 21V4M6 5h11l-2 4 2 4H6',
  flip: 'M8 20V5M4 9l4-4 4 4M16 4v15M20 15l-4 4-4-4',
  folder: 'M3 7h6l2 2h10v10H3z',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18',
  help: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.7v.3',
  hint: 'M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.7.6-1 1.2-1 2H9c0-.8-.3-1.4-1-2z',
  last: 'M6 6l7 6-7 6zM17 6v12',
  menu: 'M5 7h14M5 12h14M5 17h14',
  moon: 'M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z',
  next: 'M9 6l7 6-7 6z',
  open: 'M3 18V6h6l2 2h8v3M3 18l3-7h16l-3 7z',
  pause: 'M8 6v12M16 6v12',
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  play: 'M8 5l11 7-11 7z',
  previous: 'M15 6l-7 6 7 6z',
  redo: 'M19 9H9a5 5 0 0 0 0 10h6M15 5l4 4-4 4',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  screen: 'M3 5h18v12H3zM8 21h8M12 17v4',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4M15 5a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM9 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4z',
  share: 'M12 15V4M8 7.5l4-3.5 4 3.5M6 11H5v9h14v-9h-1',
  silent: 'M5 10v4h3l5 4V6L8 10zM17 9.5l4 5M21 9.5l-4 5',
  sound: 'M5 10v4h3l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M18.8 6.5a8 8 0 0 1 0 11',
  study: 'M12 7c-2-2-5-2.5-9-2.5V18c4 0 7 .5 9 2.5 2-2 5-2.5 9-2.5V4.5c-4 0-7 .5-9 2.5zM12 7v13.5',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3l1.7 1.7M17 17l1.7 1.7M18.7 5.3L17 7M7 17l-1.7 1.7',
  undo: 'M5 9h10a5 5 0 0 1 0 10H9M9 5L5 9l4 4',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
} as const;

export type IconName = keyof typeof paths;

export function Icon({name, label}: {name: IconName; label?: string}) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={!label}
    >
      <path d={paths[name]} />
    </svg>
  );
}
