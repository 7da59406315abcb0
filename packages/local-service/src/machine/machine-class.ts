import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

/** In the order of their speed: a Raspberry Pi 4, a Raspberry Pi 5 or small PC, a desktop PC. */
export const machineClasses = ['pi4', 'pi5', 'desktop'] as const

export type MachineClass = (typeof machineClasses)[number]

export async function findMachineClass(): Promise<MachineClass> {
  // Raspberry Pi OS; other systems have no such file. In /proc, the unit of systemd in `deploy` hides it.
  const board = await readFile('/sys/firmware/devicetree/base/model', 'utf8').catch(() => '')
  const { platform, arch } = process
  return classOf({ board, platform, arch, cores: availableParallelism() })
}

interface Hardware {
  board: string
  platform: string
  arch: string
  cores: number
}

/** A rough guess, which a test of the model corrects. */
export function classOf({ board, platform, arch, cores }: Hardware): MachineClass {
  const [, generation] = /Raspberry Pi (\d+)/.exec(board) ?? []
  if (generation) return Number(generation) >= 5 ? 'pi5' : 'pi4'
  const isBoard = platform === 'linux' && /^arm/.test(arch) && cores <= 4
  if (isBoard || cores < 2) return 'pi4'
  return cores >= 6 ? 'desktop' : 'pi5'
}
