import type { Announcement } from './announcement.ts'

type Text = Pick<Announcement, 'id' | 'topic' | 'text' | 'speakers' | 'sequenceId'>

const maxAgeMs = 10_000
const maxTexts = 100

/** Recognises an announcement that was made a moment ago. Without a topic, none is a repetition. */
export function createRecentTexts() {
  let recent: { text: Text; at: number }[] = []
  return {
    has(text: Text) {
      const now = performance.now()
      recent = recent.filter(({ at }) => now - at < maxAgeMs)
      return recent.some((earlier) => earlier.text.text === text.text && covers(earlier.text, text))
    },
    add({ id, topic, text, speakers, sequenceId }: Text) {
      if (topic === undefined) return
      const added = { id, topic, text, speakers, sequenceId }
      recent.push({ text: added, at: performance.now() })
      if (recent.length > maxTexts) recent.shift()
    },
    /** It was not said after all. */
    forget({ id }: Text) {
      recent = recent.filter(({ text }) => text.id !== id)
    },
  }
}

/**
 * Whether an announcement has the topic of another one, and reaches each of its speakers. The parts of a sequence, which
 * have the same topic, belong together.
 */
export function covers(
  { topic, speakers, sequenceId }: Omit<Text, 'text'>,
  other: Omit<Text, 'text'>,
): boolean {
  if (topic === undefined || topic !== other.topic) return false
  if (sequenceId !== undefined && sequenceId === other.sequenceId) return false
  return other.speakers.every(({ id }) => speakers.some((speaker) => speaker.id === id))
}
