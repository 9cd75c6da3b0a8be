#!/usr/bin/env bash
# What the Redis store costs against local files: a worker plays for a learner that only takes games
# in, by turns over both. Prints games a minute, and the processor time of all that is not playing
# (the worker's other threads, the learner, Redis) as a share of that of playing: where the speed of
# the machine wanders by more than the difference, that share is the figure to look at. Needs
# redis-server.
#   scripts/measure_store.sh [CONFIG] [SECONDS] [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
config=${1:-configs/hour.toml} seconds=${2:-40} rounds=${3:-3}
toguz=${TOGUZ:-build/release/toguz}
command -v redis-server >/dev/null || { echo "measure_store.sh: no redis-server; scripts/setup.sh --tests installs it" >&2; exit 1; }
work=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
redis-server --port "$port" --bind 127.0.0.1 --dir "$work" --save "" --appendonly yes --appendfsync always >"$work/redis.log" &
redis=$!
trap 'kill $redis $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
hertz=$(getconf CLK_TCK)

# Processor time in ticks: of a process, and of its threads that play.
cpu() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
playing() { cat /proc/"$1"/task/*/stat | awk '/\(selfplay\)/ { ticks += $14 + $15 } END { print ticks + 0 }'; }

measure() {  # NAME ADDRESS
  rm -rf "$work/$1"
  # A window that is never full: nothing is trained.
  "$toguz" train "$config" --run "$work/$1" --store "$2" --workers 0 --final-games 0 \
    --set replay.window_min=100000000 --set replay.window_max=100000000 --set run.minutes=1000 >"$work/$1.log" 2>&1 &
  learner=$!
  sleep 2
  "$toguz" selfplay --store "$2" --workers 1 --no-matches >"$work/$1.worker.log" 2>&1 &
  worker=$!
  sleep 3  # the first games end together
  local from redisFrom games playedFrom
  playedFrom=$(playing $worker)
  from=$(( $(cpu $worker) + $(cpu $learner) )) redisFrom=$(cpu $redis)
  games=$(games_of "$2")
  sleep "$seconds"
  local played=$(( $(playing $worker) - playedFrom ))
  local ticks=$(( $(cpu $worker) + $(cpu $learner) - from ))
  [ "$1" = files ] || ticks=$(( ticks + $(cpu $redis) - redisFrom ))
  games=$(( $(games_of "$2") - games ))
  kill -INT $worker $learner
  wait $worker $learner || true
  [ "$1" = files ] || redis-cli -p "$port" flushall >/dev/null
  echo "$1 $games $seconds $played $((ticks - played))" | tee -a "$work/results"
}

games_of() { "$toguz" status --store "$1" --json | tr ',' '\n' | sed -n 's/.*"games"://p' | tail -1; }

for round in $(seq "$rounds"); do
  measure files "$work/files"
  measure redis "redis://127.0.0.1:$port/run$round"
done
awk -v hertz="$hertz" '
  { games[$1] += $2; seconds[$1] += $3; played[$1] += $4; rest[$1] += $5 }
  END {
    for (store in games)
      printf "%s: %.0f games a minute; playing %.2f s, all else %.2f s (%.2f%%)\n", store,
             60 * games[store] / seconds[store], played[store] / hertz, rest[store] / hertz,
             100 * rest[store] / played[store]
    printf "redis against files: %.3f of the games a minute; %+.2f%% of the time of playing\n",
           games["redis"] / seconds["redis"] / (games["files"] / seconds["files"]),
           100 * (rest["redis"] / played["redis"] - rest["files"] / played["files"])
  }' "$work/results"
