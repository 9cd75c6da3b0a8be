#!/usr/bin/env bash
# Makes web/data/exercises.json anew with the shipped engines. Standard exercises are from games of
# people; of the other variants no such games are kept, so theirs are from games of the engine's
# lower levels, where mistakes happen, and say so. A quarter of an hour on two idle cores; the same
# engines give the same file on one kind of processor.
#   scripts/make_exercises.sh [OUT]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-web/data/exercises.json}
toguz=${TOGUZ:-build/release/toguz}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$toguz" analyze tests/data/games/games.tsv --nodes 1000 \
  --exercises "$work/standard.json" --exercises-per-level 70
for variant in giveaway bestemshe seven; do
  for level in 2 3 4; do
    player=model:models/pretrained/$variant.tzn
    "$toguz" match "$player,level=$level" "$player,level=$((level + 1))" --variant "$variant" \
      --games 200 --openings balanced:4 --seed "$level" --quiet --out "$work/level.pgn" >/dev/null
    # Where each game is from, for the exercises' sources.
    awk -v levels="$level-$((level + 1))" \
      '/^\[Event / {print "[Source \"engine levels " levels "\"]\n[Id \"game " ++n "\"]"} {print}' \
      "$work/level.pgn" >>"$work/$variant.pgn"
  done
  "$toguz" analyze "$work/$variant.pgn" --nodes 1000 \
    --exercises "$work/$variant.json" --exercises-per-level 18
done

# One exercise stands on a line of its own: the files are joined by lines.
{
  echo '{"version":1,"exercises":['
  sed -n '/^{"id"/{s/,$//;p}' "$work"/{standard,giveaway,bestemshe,seven}.json | sed '$!s/$/,/'
  echo ']}'
} >"$work/all.json"
mv "$work/all.json" "$out"
wc -c "$out"
