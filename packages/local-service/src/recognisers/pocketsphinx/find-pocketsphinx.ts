import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files of pocketsphinx 5prealpha as Debian, Ubuntu and Raspberry Pi OS install them. */
export interface PocketsphinxFiles {
  /** `libpocketsphinx.so.3`. */
  library: string
  /** `libsphinxbase.so.3`. */
  baseLibrary: string
  /** The folder with the acoustic model, the dictionary and the language model of US English. */
  model: string
}

const model = '/usr/share/pocketsphinx/model/en-us'

/** @returns undefined unless the library and the model are installed. */
export function findPocketsphinx(root = '/'): PocketsphinxFiles | undefined {
  const library = findLibrary(root, 'libpocketsphinx.so.3')
  const baseLibrary = findLibrary(root, 'libsphinxbase.so.3')
  const modelFolder = join(root, model)
  if (!library || !baseLibrary || !existsSync(join(modelFolder, 'en-us.lm.bin'))) return undefined
  return { library, baseLibrary, model: modelFolder }
}

/** Searches the folders of the system only, such as /usr/lib/aarch64-linux-gnu. */
function findLibrary(root: string, name: string): string | undefined {
  const system = join(root, 'usr/lib')
  if (!existsSync(system)) return undefined
  const multiarch = readdirSync(system).filter((folder) => folder.includes('-linux-'))
  const folders = ['', ...multiarch].map((folder) => join(system, folder))
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/**
 * Opens a program of pocketsphinx as soon as the files are installed, so that an installation needs no restart.
 * @param open is called once.
 */
export function openWhenInstalled<Program extends { close(): Promise<void> }>(
  open: (files: PocketsphinxFiles) => Program,
  find: () => PocketsphinxFiles | undefined = findPocketsphinx,
) {
  let program: Program | undefined
  return {
    /** @returns `undefined` as long as the files are not installed. */
    get(): Program | undefined {
      const files = program ? undefined : find()
      if (files) program = open(files)
      return program
    },
    async close(): Promise<void> {
      await program?.close()
    },
  }
}
