/** Who speaks. While both do, the sound of the model is held back if the user may interrupt it. */
export type Floor = 'nobody' | 'user' | 'model' | 'both'

/** What happens between the user and the model. */
export type FloorEvent =
  /** The detector has found speech. */
  | { type: 'speechStarted' }
  /** The speech certainly has words. */
  | { type: 'wordsHeard' }
  /** A turn is transcribed. */
  | { type: 'turnEnded'; hasWords: boolean; mayBeNoise: boolean }
  /** The client has ended or dropped the turn of the user, or changed the format of the audio. */
  | { type: 'inputEnded' }
  | { type: 'responseStarts' }
  | { type: 'responseEnded' }
  /** The user has said nothing for a while after a response. */
  | { type: 'silencePassed' }

export interface FloorRule {
  /** Whether speech of the user interrupts the model. */
  interrupts: boolean
  /** Whether the model responds to each turn of the user. */
  responds: boolean
}

export type FloorAction =
  /** Holds the sound of the model back. */
  | 'hold'
  | 'resume'
  /** Ends the response, and drops its sound. */
  | 'interrupt'
  /** The model responds as soon as it can. */
  | 'request'
  /** Starts the response that is due, unless the model speaks. */
  | 'respond'
  /** Adds a turn without words. */
  | 'addSilence'
  /** Waits for a user who says nothing, if nobody speaks. */
  | 'watchSilence'
  | 'stopWatching'

const continueActions: readonly FloorAction[] = ['resume', 'respond', 'watchSilence']

/** What follows from an event, in order. */
export function decide(
  floor: Floor,
  event: FloorEvent,
  { interrupts, responds }: FloorRule,
): readonly FloorAction[] {
  const userSpeaks = floor === 'user' || floor === 'both'
  const modelSpeaks = floor === 'model' || floor === 'both'
  switch (event.type) {
    case 'speechStarted':
      return interrupts ? ['stopWatching', 'hold'] : ['stopWatching']
    case 'wordsHeard':
      return interrupts ? ['interrupt'] : []
    case 'turnEnded': {
      const isMeant = event.hasWords && !(interrupts && modelSpeaks && event.mayBeNoise)
      const actions: FloorAction[] = []
      if (isMeant && interrupts) actions.push('interrupt')
      if (isMeant && responds) actions.push('request')
      // The user speaks again, so a response would be interrupted at once.
      return interrupts && userSpeaks ? actions : [...actions, ...continueActions]
    }
    case 'inputEnded':
      return continueActions
    case 'responseStarts':
      return ['stopWatching', 'resume']
    case 'responseEnded':
      return ['watchSilence']
    case 'silencePassed':
      return ['addSilence', 'request', 'respond']
  }
}
