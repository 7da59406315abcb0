import type { Heard, SpeakerDisplay } from '../../speakers/display.ts'
import type { Speaker } from '../../speakers/speaker.ts'

/** Shows what is said in a conversation on the speakers that play it, if they have a display. */
export function createConversationDisplay() {
  let displays: readonly SpeakerDisplay[] = []
  let heard: Heard = { text: '', isUnderstood: true }
  const show = (next: Heard) => {
    heard = next
    for (const display of displays) display.showHeard(heard)
  }
  return {
    /** A response begins to play. Only now is known where. */
    playsOn(speakers: readonly Speaker[]) {
      const before = displays
      displays = speakers.flatMap(({ driver }) => driver.display ?? [])
      for (const display of displays) if (!before.includes(display)) display.showHeard(heard)
    },
    /** @param text what the user has said; empty if that was not understood. */
    showUser: (text: string) => show({ text, isUnderstood: text !== '' }),
    showResponse: (response: string) => show({ ...heard, isUnderstood: true, response }),
  }
}

export type ConversationDisplay = ReturnType<typeof createConversationDisplay>
