import { vi } from 'vitest'

/** The microphone of a browser, which Node does not have. */
export interface StubMicrophone {
  /** How the next request for the microphone ends. Default: the browser allows it. */
  answer: () => Promise<void>
  requests: number
  isRecording: boolean
  /** How many tones it has played. */
  tones: number
  /** Records a packet. */
  record(packet: Int16Array<ArrayBuffer>): void
  unplug(): void
}

/** Stubs the globals with which a page records, until `vi.unstubAllGlobals`. */
export function stubMicrophone(): StubMicrophone {
  const ports: { onmessage?: (event: { data: unknown }) => void }[] = []
  const tracks: { muted: boolean; onended?: () => void }[] = []
  const microphone: StubMicrophone = {
    answer: async () => {},
    requests: 0,
    isRecording: false,
    tones: 0,
    record: (data) => ports.at(-1)!.onmessage!({ data }),
    unplug: () => tracks.at(-1)!.onended!(),
  }
  const getUserMedia = async () => {
    microphone.requests += 1
    await microphone.answer()
    microphone.isRecording = true
    const track: (typeof tracks)[number] & { stop(): void } = {
      muted: false,
      stop() {
        microphone.isRecording = false
      },
    }
    tracks.push(track)
    return { getTracks: () => [track], getAudioTracks: () => [track] }
  }
  class AudioContext {
    state = 'running'
    audioWorklet = { addModule: async () => {} }
    currentTime = 0
    createMediaStreamSource = () => ({ connect() {} })
    createGain = () => ({
      gain: { setValueAtTime() {}, linearRampToValueAtTime() {} },
      connect() {},
    })
    createOscillator = () => ({
      frequency: {},
      connect: <Node>(node: Node) => node,
      start: () => void microphone.tones++,
      stop() {},
    })
    async resume() {}
    async close() {
      this.state = 'closed'
    }
  }
  class AudioWorkletNode {
    port = {}
    constructor() {
      ports.push(this.port)
    }
    connect() {}
  }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal('AudioContext', AudioContext)
  vi.stubGlobal('AudioWorkletNode', AudioWorkletNode)
  return microphone
}
