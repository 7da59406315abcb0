import { writeFile } from 'node:fs/promises'
import { tone } from './computed-sounds.ts'
import { encodeMp3 } from './encode.ts'

const sampleRateHertz = 44_100

/** Writes what the tests of devices take for music: a minute of 300 Hz, as MP3. */
export async function writeMusic(file: string): Promise<void> {
  const pcm = tone({ hertz: 300, seconds: 60, sampleRateHertz })
  await writeFile(file, await encodeMp3(pcm, { sampleRateHertz }))
}
