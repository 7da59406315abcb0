import WaveSurfer from 'wavesurfer.js'
import type { Span } from './measure-recording.ts'

export interface WaveformOptions {
  /** The address of the sound. */
  url: string
  /** What to draw, with the length. Default: the browser decodes the sound. */
  peaks?: Float32Array
  seconds?: number
  height: number
}

/** Draws a sound in the colors of the theme. Call `destroy` when it is no longer shown. */
export function drawWaveform(container: HTMLElement, options: WaveformOptions): WaveSurfer {
  const { url, peaks, seconds, height } = options
  const style = getComputedStyle(container)
  const color = (name: string) => style.getPropertyValue(`--parlando-${name}`).trim()
  return WaveSurfer.create({
    container,
    url,
    height,
    ...(peaks && { peaks: [peaks] }),
    ...(seconds !== undefined && { duration: seconds }),
    waveColor: color('wave'),
    progressColor: color('wave-played'),
    cursorColor: color('wave-cursor'),
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    normalize: true,
    hideScrollbar: true,
  })
}

/** Plays a part of the drawn sound, or all of it, to the end. An abort stops it. */
export async function playWaveform(
  drawn: WaveSurfer,
  signal: AbortSignal,
  span: Partial<Span> = {},
): Promise<void> {
  let stopped = () => {}
  const listening: (() => void)[] = []
  const end = new Promise<void>((resolve) => {
    stopped = resolve
    listening.push(drawn.on('pause', resolve), drawn.on('finish', resolve))
  })
  const stop = () => {
    drawn.pause()
    stopped()
  }
  signal.addEventListener('abort', stop)
  try {
    await drawn.play(span.start ?? 0, span.end)
    await end
  } finally {
    signal.removeEventListener('abort', stop)
    for (const forget of listening) forget()
  }
}
