import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const observer = new URL('observer.js', import.meta.url)

/** A program in its own process, which also loads `observer.js`. */
export interface Program {
  /** The printed lines that report an error or a warning. */
  readonly bad: readonly string[]
  /** @returns the exit code or the name of the signal. */
  end(signal: NodeJS.Signals): Promise<string>
}

export interface ProgramOptions {
  role: string
  /** Path and arguments. */
  command: readonly string[]
  /** The folder for incidents and temporary files. */
  folder: string
  /** The texts that the program prints, in any order, before it is ready. */
  readyTexts: readonly string[]
  environment?: Readonly<Record<string, string>>
}

const badLine = /"level":"(error|fatal)"|\[error\]|Error|Warning/
const endLimitMs = 15_000

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { role, command, folder, readyTexts } = options
  const bad: string[] = []
  let lastLine = ''
  const child = spawn(process.execPath, command, {
    env: {
      ...process.env,
      ...options.environment,
      NODE_OPTIONS: `--import=${observer.href}`,
      PARLANDO_SOAK_FOLDER: folder,
      PARLANDO_SOAK_ROLE: role,
      // Node would leave its compile cache in the temporary folder.
      NODE_DISABLE_COMPILE_CACHE: '1',
      TMPDIR: `${folder}/tmp`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? String(code))),
  )
  const missing = new Set(readyTexts)
  await new Promise<void>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lastLine = line
        if (badLine.test(line)) bad.push(line)
        for (const text of missing) if (line.includes(text)) missing.delete(text)
        if (missing.size === 0) resolve()
      })
    }
    void exited.then((how) => reject(new Error(`${role} ended with ${how}: ${lastLine}`)))
  })
  return {
    bad,
    async end(signal) {
      child.kill(signal)
      const kill = setTimeout(() => child.kill('SIGKILL'), endLimitMs)
      const how = await exited
      clearTimeout(kill)
      return how
    },
  }
}
