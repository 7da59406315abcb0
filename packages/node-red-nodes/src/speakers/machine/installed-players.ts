import { findProgram } from '../../programs/find-program.ts'
import { type Player, players } from './players.ts'

export interface InstalledPlayer extends Player {
  path: string
}

/** Searches the folders of PATH for all players. */
export async function findPlayers(environment: NodeJS.ProcessEnv): Promise<InstalledPlayer[]> {
  const found = await Promise.all(
    players.map(async (player) => {
      const path = await findProgram(player.program, environment)
      return path === undefined ? [] : [{ ...player, path }]
    }),
  )
  return found.flat()
}
