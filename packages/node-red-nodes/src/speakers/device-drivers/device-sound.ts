import type { SoundFormat } from '../../sounds/sound.ts'

/**
 * What devices are given that fetch a sound: all decode it, and play it while it grows. MPD and ffmpeg begin when they have a second
 * of it; with WAV that grows, only after three (measured).
 */
export const deviceFormat: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }

/**
 * The volume of a device at which the amplitude is a share of the present one. Devices that do not say what their volume means
 * follow the loudness that people hear: the volume is about the cube root of the amplitude.
 * @param present on the scale of the device, from 0.
 * @param percent of the amplitude.
 */
export function softerVolume(present: number, percent: number): number {
  return present * Math.cbrt(percent / 100)
}
