/** An open microphone. */
export interface PageRecorder {
  close(): void
}

export interface RecorderOptions {
  /** Receives 20 ms of sound: 16 kHz, mono. */
  onPacket(packet: Int16Array<ArrayBuffer>): void
  /** Called when the system or a switch mutes the microphone, and when it ceases to. */
  onMuted(isMuted: boolean): void
  /** Called when the microphone is gone, for example unplugged. */
  onLost(): void
}

/** The microphone without the sound of the speaker next to it. */
const constraints = {
  audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
}

/**
 * Opens the microphone; the browser may ask the user first. Call it in the handler of a click or a key.
 * @throws what `getUserMedia` throws.
 */
export async function openRecorder(options: RecorderOptions): Promise<PageRecorder> {
  // Safari only lets a context run that was created by a gesture, so it comes before the first wait.
  const context = new AudioContext()
  try {
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
    return { close }
  } catch (error) {
    if (context.state !== 'closed') context.close().catch(() => {})
    throw error
  }
}

async function connect(
  context: AudioContext,
  stream: MediaStream,
  { onPacket, onMuted, onLost }: RecorderOptions,
): Promise<void> {
  const [track] = stream.getAudioTracks()
  track!.onmute = () => onMuted(true)
  track!.onunmute = () => onMuted(false)
  track!.onended = onLost
  await context.audioWorklet.addModule('../microphone-worklet.js')
  const packets = new AudioWorkletNode(context, 'microphone', {
    channelCount: 1,
    channelCountMode: 'explicit',
  })
  packets.port.onmessage = ({ data }) => onPacket(data)
  context.createMediaStreamSource(stream).connect(packets)
  // Its output is silent. A node without a connection to the output may not run.
  packets.connect(context.destination)
  await context.resume()
  onMuted(track!.muted)
}
