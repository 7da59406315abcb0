import { createInterface } from 'node:readline/promises'
import { formatBytes } from '../../machine/resources.ts'
import type { InstallEvent } from '../../models/install/fetch-model.ts'

/** Where a command writes, and whether a user can confirm. */
export interface Terminal {
  isInteractive: boolean
  /** The result. */
  print(text: string): void
  /** What happens meanwhile. */
  note(text: string): void
  /** Replaces the previous progress on a terminal. */
  progress(text: string): void
  confirm(question: string, signal: AbortSignal): Promise<boolean>
}

export function openTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  const isInteractive = Boolean(stdin.isTTY && stderr.isTTY)
  let isInProgress = false
  const endProgress = () => {
    if (isInProgress) stderr.write('\n')
    isInProgress = false
  }
  return {
    isInteractive,
    print(text) {
      endProgress()
      stdout.write(`${text}\n`)
    },
    note(text) {
      endProgress()
      stderr.write(`${text}\n`)
    },
    progress(text) {
      if (!stderr.isTTY) return void stderr.write(`${text}\n`)
      // Back to the beginning of the line, which is deleted.
      stderr.write(`\r\x1b[2K${text}`)
      isInProgress = true
    },
    async confirm(question, signal) {
      endProgress()
      const reader = createInterface({ input: stdin, output: stderr })
      try {
        return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `, { signal })).trim())
      } finally {
        reader.close()
      }
    },
  }
}

const barCharacters = 24

/** Shows events as a progress bar on a terminal, and as a line for each 10 % elsewhere. */
export function showEvents(name: string, terminal: Terminal): (event: InstallEvent) => void {
  let lastStep = -1
  return (event) => {
    if (event.type === 'unpacking') return terminal.note(`Unpacking ${name}`)
    if (event.type === 'loading') return terminal.note(`Loading ${name} for a test`)
    if (event.type === 'retrying') return terminal.note(`Trying again: ${event.reason}`)
    const { receivedBytes, totalBytes } = event
    const steps = terminal.isInteractive ? 200 : 10
    const step = Math.floor((receivedBytes / totalBytes) * steps)
    if (step === lastStep) return
    lastStep = step
    const share = receivedBytes / totalBytes
    const filled = Math.floor(share * barCharacters)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barCharacters - filled)}`
    const amount = `${Math.floor(share * 100)} % of ${formatBytes(totalBytes)}`
    terminal.progress(terminal.isInteractive ? `${name} ${bar} ${amount}` : `${name}: ${amount}`)
  }
}
