import { join } from 'node:path'

/** The folder into which models are installed, by the commands and by the endpoints. */
export function installFolderOf(dataFolder: string): string {
  return join(dataFolder, 'models')
}
