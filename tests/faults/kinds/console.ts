// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of the product.
import type { Fault } from '../fault.ts'

/** What people meet in the console and at the command line. */
export const CONSOLE: readonly Fault[] = [
  {
    name: 'a report that was refused loses its tags',
    file: 'console/src/pages/report/ReportForm.tsx',
    text: 'send.mutate({ body: body as never })',
    instead: 'send.mutate({ body: body as never }, { onError: () => setClaim(NO_CLAIM) })',
    test: {
      project: 'platform',
      file: 'tests/e2e/console/knowledge.test.ts',
      title: 'a nested report is shown as it is sent',
    },
  },
  {
    name: 'the boxes of the triage list have no name',
    file: 'console/src/pages/triage/FeedTable.tsx',
    text: '                  aria-label={`Select ${item.value.slice(0, 80)}`}\n',
    instead: '',
    test: {
      project: 'platform',
      file: 'tests/e2e/console/operating.test.ts',
      title: 'what one member handles, assigns and notes by keys',
    },
  },
  {
    name: 'a second process may have the data folder',
    file: 'connectors/data-folder/folder-lock.ts',
    text: 'if (!lock.alone()) {',
    instead: 'if (lock.shared() === null) {',
    test: {
      project: 'platform',
      file: 'tests/e2e/operation/one-owner.test.ts',
      title: 'a second start in another PID namespace is refused',
    },
  },
]
