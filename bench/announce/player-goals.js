import { goal } from '../shared/report.js'

const maxLaterMs = 150
const finished = 'a finished sound'
const known = 'a sentence said before'

/** What is compared: the row of an announcement, that of the player by itself, and what that plays. */
const comparisons = [
  ['MPD', 'mpd', 'mpdOwn', finished],
  ['Snapcast', 'snapcast', 'snapcastOwn', finished],
  ['squeezelite', 'squeezelite', 'squeezeliteKnown', known],
  ['gmediarender', 'dlna', 'dlnaOwn', finished],
  ['MPD through Home Assistant', 'homeAssistant', 'mpdOwn', finished],
]

/** @param players the rows by their names. Those of Home Assistant may be missing. */
export function playerGoals(players) {
  return comparisons
    .filter(([, announced]) => players[announced])
    .map(([name, announced, own, what]) => {
      const laterMs = players[announced].p50Ms - players[own].p50Ms
      return goal(`first sample on ${name} after that of ${what}, p50`, laterMs, maxLaterMs)
    })
}
