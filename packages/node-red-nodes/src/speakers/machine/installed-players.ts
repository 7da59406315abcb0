import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Player, players } from './players.ts'

export interface InstalledPlayer extends Player {
  path: string
}

/** Searches the folders of PATH for all players. */
export async function findPlayers(environment: NodeJS.ProcessEnv): Promise<InstalledPlayer[]> {
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter)
  const extension = process.platform === 'win32' ? '.exe' : ''
  const found = await Promise.all(
    players.map(async (player) => {
      for (const folder of folders.filter((folder) => folder !== '')) {
        const path = join(folder, player.program + extension)
        if (await isExecutable(path)) return { ...player, path }
      }
      return undefined
    }),
  )
  return found.filter((player) => player !== undefined)
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
