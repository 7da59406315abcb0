import type { BudgetState, ServiceReport } from '../../runtime/service-report.ts'
import { AdminError, askAdmin } from '../ask-admin.ts'
import { text } from '../red.ts'
import { fieldNote } from './field-note.ts'

/** The rows that a place of kept sound has, by its name. */
const rows: Readonly<Record<string, readonly string[]>> = {
  keepMegabytes: ['memory', 'disk'],
  keepDays: ['memory', 'disk', 'redis'],
  redisUrl: ['redis'],
  redisPassword: ['redis'],
  keepClones: ['disk', 'redis'],
}

/** Shows the fields of the chosen place, what is kept of the deployed service, and a button that deletes it. */
export function keptSoundFields(serviceId: string): void {
  const place = $('#node-config-input-keepSound')
  const show = () => {
    for (const [name, places] of Object.entries(rows)) {
      const row = $(`#node-config-input-${name}`).closest('.form-row')
      row.toggle(places.includes(String(place.val())))
    }
  }
  place.on('change', show)
  show()

  const button = $('#parlando-service-clear')
  const note = fieldNote(button).insertAfter(button)
  const spent = fieldNote().appendTo('#parlando-service-budget')
  const report = async (request: 'kept-sound' | 'kept-sound/clear') => {
    try {
      const kept = await askAdmin<ServiceReport>(request, { id: serviceId })
      note.text(describe(kept)).removeClass('parlando-problem')
      spent.text(kept.budget.map(describeBudget).join(' '))
      spent.toggleClass(
        'parlando-problem',
        kept.budget.some(({ used, max }) => used >= max),
      )
    } catch (error) {
      // A service that is not deployed has kept nothing.
      const isNew = request === 'kept-sound' && error instanceof AdminError && error.isRejected
      if (isNew) button.closest('.form-row').hide()
      else note.text((error as Error).message).addClass('parlando-problem')
    }
  }
  button.on('click', (event) => {
    event.preventDefault()
    void report('kept-sound/clear')
  })
  void report('kept-sound')
}

function describe({ sounds, bytes = 0, ...figures }: ServiceReport): string {
  const saved = text('kept-sound.saved', {
    hits: figures.hits,
    misses: figures.misses,
    characters: figures.savedCharacters,
    minutes: (figures.savedSeconds / 60).toFixed(1),
  })
  if (sounds === undefined) return saved
  const size = text('kept-sound.size', { sounds, megabytes: (bytes / 1_000_000).toFixed(1) })
  return `${size} ${saved}`
}

function describeBudget({ what, period, used, max, spared }: BudgetState): string {
  const values = { used: Math.round(used), max, saved: Math.round(spared) }
  return text(`budget.${what}-${period}`, values)
}
