import { setTimeout } from 'node:timers/promises'

export const sessionRateHertz = 24_000
export const silenceMs = 500

const pieceMs = 20
const pieceSamples = (sessionRateHertz * pieceMs) / 1000
const bytesPerMs = (2 * sessionRateHertz) / 1000
/** Above any turn with its response, also where too many speak at once. */
const eventLimitMs = 120_000
/** Of a quiet room. */
const noiseAmplitude = 6

const defaultDetection = { type: 'server_vad', silence_duration_ms: silenceMs }

/** Starts a conversation of a user with an open microphone and a speaker, both in real time. */
export function startUser(client, turn_detection = defaultDetection) {
  const conversation = client.realtime({
    model: 'svc/models/echo',
    audio: { input: { transcription: {}, turn_detection }, output: { voice: 'Clara' } },
  })
  const player = createPlayer()
  const events = createEvents(conversation, (at, event) => {
    if (event.type === 'response.output_audio.delta') player.play(at, event.audio)
    if (event.type === 'response.created' || event.type === 'paused') player.stop()
  })
  const microphone = createMicrophone(conversation)

  return {
    next: events.next,
    speak: microphone.speak,
    /** Waits until the speaker has played everything. */
    heard: () => setTimeout(conversation.unplayedMs),
    /** The longest silence of the speaker within a response. */
    longestGapMs: () => player.longestGapMs(),
    async close() {
      events.close()
      const recorded = microphone.close()
      await conversation.close()
      await recorded
    },
  }
}

/** Reads the events of a conversation. @param onEvent receives each one, with its time. */
function createEvents(conversation, onEvent) {
  const closing = new AbortController()
  const waiting = new Set()
  const read = async () => {
    for await (const event of conversation) {
      const at = performance.now()
      onEvent(at, event)
      if (event.type === 'error') throw new Error(event.error.message)
      for (const one of waiting) if (one.types.includes(event.type)) one.resolve({ at, event })
    }
  }
  const reading = read().catch((error) => {
    for (const { reject } of waiting) reject(error)
    return Promise.reject(error)
  })
  reading.catch(() => {})

  return {
    /** Waits for an event. @returns the event and its time. */
    next(...types) {
      const { promise, resolve, reject } = Promise.withResolvers()
      const one = { types, resolve, reject }
      waiting.add(one)
      const late = setTimeout(eventLimitMs, undefined, { signal: closing.signal, ref: false }).then(
        () => Promise.reject(new Error(`No event ${types.join(' or ')} after ${eventLimitMs} ms`)),
      )
      late.catch(() => {})
      return Promise.race([promise, reading.then(() => promise), late]).finally(() =>
        waiting.delete(one),
      )
    },
    /** Ends the waits. */
    close: () => closing.abort(),
  }
}

/** A microphone that is always open: it records a quiet room, or who speaks in it. */
function createMicrophone(conversation) {
  let isClosed = false
  let speaking
  /** Each piece is sent when its last sample has been recorded. */
  const record = async () => {
    const startedAt = performance.now()
    for (let piece = 0; !isClosed; piece++) {
      const recordedAt = startedAt + piece * pieceMs
      await setTimeout(Math.max(0, recordedAt + pieceMs - performance.now()))
      const samples = quietRoom()
      if (speaking) {
        speaking.beganAt ??= recordedAt
        samples.set(speaking.samples.subarray(speaking.next, speaking.next + pieceSamples))
        speaking.next += pieceSamples
      }
      conversation.sendAudio(Buffer.from(samples.buffer))
      if (speaking && speaking.next >= speaking.samples.length) {
        speaking.resolve(speaking.beganAt)
        speaking = undefined
      }
    }
  }
  const recording = record()

  return {
    /** Speaks a turn. @returns the times of the first and the last sample of its speech. */
    async speak({ samples, startMs, endMs }) {
      const { promise, resolve } = Promise.withResolvers()
      speaking = { samples, next: 0, resolve }
      const beganAt = await promise
      return { startedAt: beganAt + startMs, endedAt: beganAt + endMs }
    },
    /** Resolves after the last piece. */
    close() {
      isClosed = true
      return recording
    },
  }
}

function quietRoom() {
  return Int16Array.from({ length: pieceSamples }, () => (Math.random() - 0.5) * 2 * noiseAmplitude)
}

/** A speaker that begins with the first piece. */
function createPlayer() {
  let longestMs = 0
  let endsAt
  return {
    play(at, audio) {
      if (endsAt !== undefined) longestMs = Math.max(longestMs, at - endsAt)
      endsAt = Math.max(endsAt ?? at, at) + audio.length / bytesPerMs
    },
    stop() {
      endsAt = undefined
    },
    longestGapMs: () => longestMs,
  }
}
