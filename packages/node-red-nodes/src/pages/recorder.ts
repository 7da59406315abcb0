import { sampleRateHertz as recordingRateHertz } from '../microphones/microphone-recording.ts'

/** An open microphone. */
export interface PageRecorder {
  /** Plays a short tone that means "listening", for people who do not look at the page. */
  playTone(): void
  close(): void
}

export interface RecorderOptions {
  /** The address of the worklet. Default: that of the pages. */
  worklet?: string
  /** Default: 16 kHz, for a recogniser. */
  sampleRateHertz?: number
  /** Whether the browser leaves the sound of the microphone as it is. Default: it removes echo and noise. */
  isUnprocessed?: boolean
  /** Receives 20 ms of sound, mono. */
  onPacket(packet: Int16Array<ArrayBuffer>): void
  /** Called when the system or a switch mutes the microphone, and when it ceases to. */
  onMuted(isMuted: boolean): void
  /** Called when the microphone is gone, for example unplugged. */
  onLost(): void
}

const toneHertz = 880
const toneSeconds = 0.08
const toneGain = 0.2

/** With processing, the microphone does not hear the speaker next to it. */
function constraintsFor(isProcessed: boolean): MediaStreamConstraints {
  return {
    audio: {
      echoCancellation: isProcessed,
      noiseSuppression: isProcessed,
      autoGainControl: isProcessed,
      channelCount: 1,
    },
  }
}

/**
 * Opens the microphone; the browser may ask the user first. Call it in the handler of a click or a key.
 * @throws what `getUserMedia` throws.
 */
export async function openRecorder(options: RecorderOptions): Promise<PageRecorder> {
  // Safari only lets a context run that was created by a gesture, so it comes before the first wait.
  const context = new AudioContext()
  try {
    const constraints = constraintsFor(!options.isUnprocessed)
    const stream = await navigator.mediaDevices.getUserMedia(constraints)
    const close = () => {
      for (const track of stream.getTracks()) track.stop()
      context.close().catch(() => {})
    }
    try {
      await connect(context, stream, options)
    } catch (error) {
      close()
      throw error
    }
    return { playTone: () => playTone(context), close }
  } catch (error) {
    if (context.state !== 'closed') context.close().catch(() => {})
    throw error
  }
}

async function connect(
  context: AudioContext,
  stream: MediaStream,
  options: RecorderOptions,
): Promise<void> {
  const { worklet = '../microphone-worklet.js', onPacket, onMuted, onLost } = options
  const { sampleRateHertz = recordingRateHertz } = options
  const [track] = stream.getAudioTracks()
  track!.onmute = () => onMuted(true)
  track!.onunmute = () => onMuted(false)
  track!.onended = onLost
  await context.audioWorklet.addModule(worklet)
  const packets = new AudioWorkletNode(context, 'microphone', {
    channelCount: 1,
    channelCountMode: 'explicit',
    processorOptions: { sampleRateHertz },
  })
  packets.port.onmessage = ({ data }) => onPacket(data)
  context.createMediaStreamSource(stream).connect(packets)
  // Its output is silent. A node without a connection to the output may not run.
  packets.connect(context.destination)
  await context.resume()
  onMuted(track!.muted)
}

/** Shorter than what counts as speech: some browsers leave it in the recording. */
function playTone(context: AudioContext): void {
  const oscillator = context.createOscillator()
  oscillator.frequency.value = toneHertz
  const gain = context.createGain()
  const endsAt = context.currentTime + toneSeconds
  gain.gain.setValueAtTime(toneGain, context.currentTime)
  gain.gain.linearRampToValueAtTime(0, endsAt)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start()
  oscillator.stop(endsAt)
}

/** Why a microphone cannot be opened: https://developer.mozilla.org/en-US/docs/Web/API/MediaDevices/getUserMedia#exceptions */
export function problemOf(error: unknown): 'denied' | 'noMicrophone' | 'inUse' {
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'noMicrophone' : 'inUse'
}
