import type { SpeakerResult } from '../playback/play-on-speakers.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement } from './announcement.ts'
import { applyQuietHours } from './quiet-hours.ts'

/** What became of an announcement on one speaker in one attempt. */
export interface AttemptResult extends SpeakerResult {
  /** The names of the speakers that were asked to say it instead. */
  instead?: string
}

/** Each speaker that fails may take long to do so: who stands in for the fourth one is not asked. */
const maxAttempts = 4

/**
 * Finds the speakers that say an announcement in place of those that could not, and names them in the results. A speaker
 * that has tried already, or that quiet hours keep silent now, is none of them.
 * @param attempts the results of each, the first one on the speakers of the announcement.
 */
export function findSubstitutes(
  attempts: readonly (readonly AttemptResult[])[],
  announcement: Announcement,
): Speaker[] {
  if (attempts.length >= maxAttempts) return []
  const results = attempts.flat()
  const resultOf = ({ id }: Speaker) => results.find(({ speaker }) => speaker.id === id)
  const mayPlay = (speaker: Speaker) =>
    applyQuietHours([speaker], announcement, new Date()).targets.length > 0
  const found = new Map<string, Speaker>()
  for (const result of results) {
    if (!result.failure?.isOfSpeaker || result.instead !== undefined) continue
    const others = (result.speaker.instead?.() ?? []).filter((other) => {
      const known = resultOf(other)
      return known ? !known.failure : mayPlay(other)
    })
    if (others.length > 0) result.instead = others.map(({ name }) => name).join(', ')
    for (const other of others) if (!resultOf(other)) found.set(other.id, other)
  }
  return [...found.values()]
}
