const firstTurnMs = 8000
const afterQuestionMs = 4000
const afterStatementMs = 2000

/** What the user says, from its beginning until it is understood, or somebody responds. */
interface Speech {
  itemId: string
  /** Whether it has ended. */
  isOver: boolean
}

/** @param onOver called when nobody has spoken for a while. `undefined`: the conversation goes on until it is stopped. */
export function createFollowUp(onOver: (() => void) | undefined) {
  let timer: NodeJS.Timeout | undefined
  let listenMs = firstTurnMs
  let speech: Speech | undefined
  /** Recordings whose ends end the turns, and which somebody still makes. */
  let recordings = 0
  const cancel = () => clearTimeout(timer)
  const wait = (unplayedMs: number) => {
    cancel()
    if (onOver && !speech && recordings === 0) timer = setTimeout(onOver, unplayedMs + listenMs)
  }
  return {
    /** Nobody has spoken yet. */
    begin: () => wait(0),
    /** A response has ended. @param unplayedMs how long a speaker still plays it. */
    responded(text: string, unplayedMs: number) {
      listenMs = /[?？؟]\s*$/.test(text) ? afterQuestionMs : afterStatementMs
      wait(unplayedMs)
    },
    /** The user has made a noise. Waits again, from now on. @param unplayedMs as for `responded`. */
    renew: wait,
    /** The user begins to speak. Until it is known what was said, the end of a response begins no wait. */
    speechStarted(itemId: string) {
      speech = { itemId, isOver: false }
      cancel()
    },
    speechStopped() {
      if (speech) speech.isOver = true
    },
    /** It is known what the user has said, or that nobody will know. */
    understood(itemId: string) {
      if (speech?.itemId === itemId) speech = undefined
    },
    /** Nobody will know what the user says now. @returns whether the user has spoken. */
    forgetSpeech() {
      const hasSpoken = speech !== undefined
      speech = undefined
      return hasSpoken
    },
    /** The model begins to respond. The user may already say something more. */
    responseBegan() {
      if (speech?.isOver) speech = undefined
      cancel()
    },
    /** Somebody begins a recording whose end ends the turn, such as by holding a button. A response may still end meanwhile. */
    recordingBegan() {
      recordings += 1
      cancel()
    },
    /** Its turn has ended, and somebody responds. */
    recordingEnded() {
      recordings -= 1
    },
    cancel,
  }
}

/** Decides when a conversation is over because the user has nothing more to say. */
export type FollowUp = ReturnType<typeof createFollowUp>
