import { sampleRateHertz } from '../recording.ts'

/** A program that writes what it records to its standard output, without a header. */
export interface Recorder {
  program: string
  /** @param device the name of the sound device; empty: that of the system. */
  args(device: string): string[]
}

const rate = String(sampleRateHertz)
const option = (name: string, device: string) => (device ? [`--${name}=${device}`] : [])

/** The recorders in the order of preference: the server of the desktop, which shares the device, before the bare device. */
export const recorders: readonly Recorder[] = [
  {
    program: 'parec',
    // With the default latency of 2 s, the sound arrives in large pieces.
    args: (device) => [
      ...option('device', device),
      '--raw',
      '--format=s16le',
      '--channels=1',
      `--rate=${rate}`,
      '--latency-msec=20',
      '--client-name=Parlando',
    ],
  },
  {
    program: 'pw-record',
    args: (device) => [
      ...option('target', device),
      '--raw',
      '--format=s16',
      '--channels=1',
      `--rate=${rate}`,
      '--latency=20ms',
      '-',
    ],
  },
  {
    program: 'arecord',
    args: (device) => [
      ...option('device', device),
      '--quiet',
      '--file-type=raw',
      '--format=S16_LE',
      '--channels=1',
      `--rate=${rate}`,
      // In microseconds.
      '--period-time=20000',
    ],
  },
]
