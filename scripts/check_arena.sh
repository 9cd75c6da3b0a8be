#!/usr/bin/env bash
# Holds the arena against what it promises, on real matches, and prints a line for each promise. Some
# ten minutes on two cores. Exit status 1 if one does not hold.
#   scripts/check_arena.sh [MODEL]
set -euo pipefail
cd "$(dirname "$0")/.."
toguz=$PWD/build/release/toguz
model=model:$(realpath "${1:-models/pretrained/standard.tzn}")
cores=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

match() { "$toguz" match "$@" --quiet --json "$work/match.json"; }
value() { grep -o "\"$1\": [-0-9.e]*" "$work/match.json" | head -1 | cut -d' ' -f2; }
# say PROMISE FIGURE CONDITION: the condition is of awk's.
say() {
  if awk "BEGIN { exit !($3) }"; then echo "holds   $1: $2"; else echo "FAILS   $1: $2"; failed=1; fi
}

for concurrency in 1 "$cores" 7; do
  match "$model,nodes=60" "$model,nodes=40" --games 200 --seed 5 --concurrency "$concurrency" \
    --out "$work/games$concurrency.pgn" >/dev/null
done
same=1
for concurrency in "$cores" 7; do cmp -s "$work/games1.pgn" "$work/games$concurrency.pgn" || same=0; done
say "the same games at concurrency 1, $cores and 7" "200 games, byte by byte" "$same"
say "distinct games" "$(value distinct_games) of 200" "$(value distinct_games) >= 196"

match "$model,nodes=40" "$model,nodes=40" --games 2000 --concurrency "$cores" | grep -E '^(Elo|first)'
say "a player against itself, 2,000 games" "$(value elo) +- $(value elo_error) Elo" \
  "$(value elo) <= $(value elo_error) && -($(value elo)) <= $(value elo_error)"

# Bestemshe, whose games are short: some 100,000 of them. About 30 Elo lie between the two, see the
# first line.
small=model:$PWD/models/pretrained/bestemshe.tzn
planted() { match "$small,nodes=$1" "$small,nodes=$2" --variant bestemshe --concurrency "$cores" "${@:3}"; }
strong=30 weak=24
planted $strong $weak --games 4000 | grep '^Elo'
found=0 rejected=0 games=0
for trial in $(seq 50); do
  planted $strong $weak --games 20000 --sprt 0,20 --seed $((1000 + trial)) >/dev/null 2>&1 || true
  grep -q '"verdict": "H1"' "$work/match.json" && found=$((found + 1))
  games=$((games + $(value games)))
  planted $strong $strong --games 20000 --sprt 0,20 --seed $((2000 + trial)) >/dev/null 2>&1 || true
  grep -q '"verdict": "H0"' "$work/match.json" && rejected=$((rejected + 1))
done
say "a planted difference found by SPRT(0,20)" "$found of 50, $((games / 50)) games each on average" "$found >= 45"
say "no difference rejected by SPRT(0,20)" "$rejected of 50" "$rejected >= 45"

# A real engine that after some moves crashes, hangs, writes garbage or plays what it may not.
cat >"$work/flaky.sh" <<'FLAKY'
kind=$(($$ % 4)) moves=0
sed -u 's/^go .*/go nodes 10/' | "$TOGUZ" engine | while read -r line; do
  case $line in bestmove*) moves=$((moves + 1)) ;; esac
  if [ $moves -eq 300 ]; then
    echo $kind >>"$FAULTS"
    moves=0
    case $kind in
      0) exit 3 ;;
      1) sleep 60 ;;
      2) echo garbage; continue ;;
      3) echo bestmove 00; continue ;;
    esac
  fi
  echo "$line"
done
FLAKY
: >"$work/faults"
TOGUZ=$toguz FAULTS=$work/faults match "exec:sh $work/flaky.sh" greedy --games 1000 --concurrency "$cores" |
  grep -E 'lost by fault|wins'
say "a thousand games against a flaky program" \
  "$(value games) games, $(value faults) faults counted, $(wc -l <"$work/faults") made" \
  "$(value games) == 1000 && $(value faults) == $(wc -l <"$work/faults") && $(value faults) > 0 &&
   $(value wins) + $(value draws) + $(value losses) == 1000"

start=$(date +%s%N)
match greedy alphabeta:depth=2 --games 4000 --concurrency "$cores" >/dev/null
rate=$(awk "BEGIN { print int(4000 * 60e9 / ($(date +%s%N) - $start)) }")
say "games a minute of fast built-in players" "$rate" "$rate >= 1000"
match "$model,nodes=100" "$model,nodes=100" --games 400 --concurrency "$cores" >/dev/null
say "the arena's own share of a match at 100 nodes" "$(value overhead)" "$(value overhead) < 0.03"
exit $failed
