import { existsSync } from 'node:fs'

/** What to do on a machine that cannot play sounds, as a sentence. */
export function adviceForSilence(environment: NodeJS.ProcessEnv): string {
  const elsewhere = 'choose a browser page or another player in the house as the loudspeaker'
  if (environment['SUPERVISOR_TOKEN']) {
    return `A Home Assistant add-on has no sound device: ${elsewhere}.`
  }
  if (existsSync('/.dockerenv')) {
    return `A container has no sound device unless it was started with one, such as "--device /dev/snd": ${elsewhere}.`
  }
  if (process.platform === 'linux') {
    return 'Install pacat (on Debian: apt install pulseaudio-utils) or aplay (apt install alsa-utils), and connect a sound device.'
  }
  return 'Install mpv (https://mpv.io), and connect a sound device.'
}
