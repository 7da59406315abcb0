import { type CaptionWord, cutIntoCues, formatTime } from './cues.ts'

/** Shorter, nobody can read a cue. It ends later, but before the next one begins. */
const minSeconds = 1

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Writes captions in the WebVTT format, for the `track` element of a page. */
export function writeWebVtt(words: readonly CaptionWord[]): string {
  const cues = cutIntoCues(words)
  const blocks = cues.map(({ startSeconds, endSeconds, lines }, index) => {
    const nextSeconds = cues[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY
    const end = Math.max(endSeconds, Math.min(startSeconds + minSeconds, nextSeconds))
    const text = lines.join('\n').replace(/[&<>]/g, (character) => escapes[character]!)
    return `${formatTime(startSeconds)} --> ${formatTime(end)}\n${text}\n`
  })
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** Writes subtitles in the SRT format from words with their times. */
export function writeSubtitles(words: readonly CaptionWord[]): string {
  return cutIntoCues(words)
    .map(({ startSeconds, endSeconds, lines }, index) => {
      const times = [startSeconds, endSeconds].map(formatTime).join(' --> ').replaceAll('.', ',')
      return `${index + 1}\n${times}\n${lines.join('\n')}\n`
    })
    .join('\n')
}
