#!/bin/sh
# What the learner's container runs: goes on with the run in /runs if there is one, else begins it.
# Arguments go to `toguz train`, as --set run.minutes=600.
#   TOGUZ_STORE    address of the store
#   TOGUZ_RUN      the run's name: its folder is /runs/TOGUZ_RUN
#   TOGUZ_CONFIG   configuration of a new run (default: configs/hour.toml)
#   TOGUZ_THREADS  self-play threads of the learner itself (default: 0, all games come from workers)
set -eu
run=/runs/${TOGUZ_RUN:?name the run}
set -- --run "$run" --store "${TOGUZ_STORE:?where is the store?}" --workers "${TOGUZ_THREADS:-0}" \
  --final-games 0 "$@"
if [ -f "$run/config.toml" ]; then
  exec toguz train --resume "$@"
fi
exec toguz train "${TOGUZ_CONFIG:-configs/hour.toml}" "$@"
