import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OtherPrograms } from './other-programs.ts'

/** A sound server with one stream, whose state is in files: `volume`, and `busy` while it does not respond. */
const pactl = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
if [ -e busy ]; then exit 1; fi
case "$1" in
  list) echo 'Sink Input #7'; echo "	Volume: mono: $(cat volume) / 100% / 0.00 dB" ;;
  set-sink-input-volume) echo "$3" > volume ;;
esac
`

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-pactl-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'pactl')
  await writeFile(program, pactl)
  await chmod(program, 0o755)
  await writeFile(join(folder, 'volume'), '65536')
  // A program that is ended while it writes the volume leaves an empty file.
  const limitMs = 20_000
  const others = new OtherPrograms({ PATH: `${folder}:${process.env['PATH']}` }, limitMs)
  await others.look()
  return {
    others,
    volume: async () => Number(await readFile(join(folder, 'volume'), 'utf8')),
    becomeBusy: () => writeFile(join(folder, 'busy'), ''),
    respondAgain: () => rm(join(folder, 'busy')),
  }
}

it.skipIf(process.platform === 'win32')(
  'gives other programs their volume back once a busy sound server responds again',
  async () => {
    const { others, volume, becomeBusy, respondAgain } = await startServer()
    await others.soften()
    expect(await volume()).toBe(Math.round(65_536 * Math.cbrt(0.2)))
    await becomeBusy()
    await others.look()
    expect(others.isMixed).toBe(false)
    others.restore()
    await others.settle()
    await respondAgain()
    await expect.poll(volume, { timeout: 10_000 }).toBe(65_536)
  },
)
