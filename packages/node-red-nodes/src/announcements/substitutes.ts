import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement, SpeakerReport } from './announcement.ts'
import { applyQuietHours } from './quiet-hours.ts'

/** What became of an announcement on one speaker. */
export interface SpeakerResult {
  speaker: Speaker
  report: SpeakerReport
  /** Why it was not said there. */
  failure?: {
    error: unknown
    /** The speaker could not play it. Otherwise the sound was not made, which no other speaker can play either. */
    isOfSpeaker: boolean
  }
}

/** Each speaker that fails may take long to do so: who stands in for the fourth one is not asked. */
const maxTries = 4

/**
 * Finds the speakers that say an announcement in place of those that could not, and names them in the reports. A speaker
 * that has tried already, or that quiet hours keep silent now, is none of them.
 * @param tries the results of each try, the first one on the speakers of the announcement.
 */
export function findSubstitutes(
  tries: readonly (readonly SpeakerResult[])[],
  announcement: Announcement,
): Speaker[] {
  if (tries.length >= maxTries) return []
  const results = tries.flat()
  const resultOf = ({ id }: Speaker) => results.find(({ speaker }) => speaker.id === id)
  const mayPlay = (speaker: Speaker) =>
    applyQuietHours([speaker], announcement, new Date()).targets.length > 0
  const found = new Map<string, Speaker>()
  for (const { speaker, report, failure } of results) {
    if (!failure?.isOfSpeaker || report.instead !== undefined) continue
    const others = (speaker.instead?.() ?? []).filter((other) => {
      const result = resultOf(other)
      return result ? !result.failure : mayPlay(other)
    })
    if (others.length > 0) report.instead = others.map(({ name }) => name).join(', ')
    for (const other of others) if (!resultOf(other)) found.set(other.id, other)
  }
  return [...found.values()]
}
