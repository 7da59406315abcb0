import type { TranscribedWord } from '@parlando/core'

/** As subtitles on television: two lines of 42 characters, for at most 7 seconds. */
const maxLineCharacters = 42
const maxCharacters = 2 * maxLineCharacters
const maxSeconds = 7
/** A pause of this length begins a new subtitle. */
const pauseSeconds = 0.5

/** Writes subtitles in the SRT format from words with their times. */
export function writeSubtitles(words: readonly TranscribedWord[]): string {
  return cutIntoSubtitles(words)
    .map((cue, index) => {
      const times = [cue[0]!.startSeconds, cue.at(-1)!.endSeconds].map(formatTime).join(' --> ')
      return `${index + 1}\n${times}\n${breakLine(cue.map(({ text }) => text))}\n`
    })
    .join('\n')
}

function cutIntoSubtitles(words: readonly TranscribedWord[]): TranscribedWord[][] {
  const cues: TranscribedWord[][] = []
  let characters = 0
  for (const word of words) {
    const cue = cues.at(-1)
    const last = cue?.at(-1)
    const isNext =
      cue &&
      last &&
      word.startSeconds - last.endSeconds < pauseSeconds &&
      word.endSeconds - cue[0]!.startSeconds <= maxSeconds &&
      characters + 1 + word.text.length <= maxCharacters &&
      !/[.!?。！？]$/.test(last.text)
    if (isNext) cue.push(word)
    else cues.push([word])
    characters = (isNext ? characters + 1 : 0) + word.text.length
  }
  return cues
}

/** Breaks a text that is too long for one line, as near to its middle as the words allow. */
function breakLine(words: readonly string[]): string {
  const text = words.join(' ')
  if (text.length <= maxLineCharacters) return text
  const before = text.lastIndexOf(' ', text.length / 2)
  const after = text.indexOf(' ', text.length / 2)
  const isBefore = after < 0 || (before >= 0 && text.length / 2 - before <= after - text.length / 2)
  const place = isBefore ? before : after
  return place < 0 ? text : `${text.slice(0, place)}\n${text.slice(place + 1)}`
}

/** `00:01:02,345` */
function formatTime(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000))
  return new Date(milliseconds).toISOString().slice(11, 23).replace('.', ',')
}
