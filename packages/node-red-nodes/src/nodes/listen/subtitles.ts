import type { TranscribedWord } from '@parlando/core'
import { cutIntoCues, formatTime } from '../../captions/cues.ts'

/** Writes subtitles in the SRT format from words with their times. */
export function writeSubtitles(words: readonly TranscribedWord[]): string {
  return cutIntoCues(words)
    .map(({ startSeconds, endSeconds, lines }, index) => {
      const times = [startSeconds, endSeconds].map(formatTime).join(' --> ').replaceAll('.', ',')
      return `${index + 1}\n${times}\n${lines.join('\n')}\n`
    })
    .join('\n')
}
