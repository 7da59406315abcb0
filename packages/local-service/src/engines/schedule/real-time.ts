/** What a listener still needs of an engine. */
export interface Demand {
  /** When the listener runs out of audio, in milliseconds from now. */
  leadMs: number
  /** The time that the engine takes for the rest of the text. */
  workMs: number
  /** The part of it that has to be done when the listener runs out of audio: the next phrase. */
  phraseMs: number
  /** How long the rest of the text plays. */
  playMs: number
}

/** The time for what is not work of the engine, such as encoding. */
const graceMs = 200

/**
 * Whether every listener gets the audio before the earlier audio ends, if the most urgent work is always done first: at no time
 * must more work be due than the engine can have done.
 * @param capacity how many milliseconds of work the engine does in a millisecond.
 */
export function keepsRealTime(demands: readonly Demand[], capacity: number): boolean {
  const changes = demands.flatMap(({ leadMs, workMs, phraseMs, playMs }) => {
    const dueMs = Math.min(workMs, phraseMs)
    const rate = playMs > 0 ? (workMs - dueMs) / playMs : 0
    return [
      { atMs: leadMs, dueMs, rate },
      { atMs: leadMs + playMs, dueMs: 0, rate: -rate },
    ]
  })
  changes.sort((one, other) => one.atMs - other.atMs)
  // A phrase is heard while it is made, so the last one may be late by its time.
  const lateMs = graceMs + Math.max(...changes.map((change) => change.dueMs))
  let atMs = 0
  let dueMs = 0
  let rate = 0
  return changes.every((change) => {
    dueMs += rate * (change.atMs - atMs) + change.dueMs
    atMs = change.atMs
    rate += change.rate
    return dueMs <= capacity * (atMs + lateMs)
  })
}

/** What the listeners still need after a time in which the engine has worked for them, for the most urgent ones first. */
export function afterWork<Kind extends Demand>(
  demands: readonly Kind[],
  capacity: number,
  tookMs: number,
): Kind[] {
  let leftMs = capacity * tookMs
  const byUrgency = [...demands].sort((one, other) => one.leadMs - other.leadMs)
  return byUrgency.flatMap((demand) => {
    const doneMs = Math.min(leftMs, demand.workMs)
    leftMs -= doneMs
    const workMs = demand.workMs - doneMs
    if (workMs === 0) return []
    const madeMs = demand.playMs * (doneMs / demand.workMs)
    const leadMs = Math.max(0, demand.leadMs + madeMs - tookMs)
    return { ...demand, leadMs, workMs, playMs: demand.playMs - madeMs }
  })
}
