import { isInContainer } from '../../shared/container.ts'

/** What to do on a machine that cannot play sounds, as a sentence. */
export function adviceForSilence(
  environment: NodeJS.ProcessEnv,
  isContained = isInContainer(),
): string {
  const elsewhere = 'choose a browser page or another player in the house as the loudspeaker'
  if (environment['SUPERVISOR_TOKEN']) {
    return `A Home Assistant add-on cannot use the sound device of its machine: ${elsewhere}.`
  }
  if (isContained) {
    return `A container has no sound device unless it was started with one, such as with "--device /dev/snd": ${elsewhere}.`
  }
  if (process.platform === 'linux') {
    return 'Connect a sound device, and install pacat (on Debian: apt install pulseaudio-utils) or aplay (apt install alsa-utils).'
  }
  return 'Connect a sound device, and install mpv from https://mpv.io.'
}
