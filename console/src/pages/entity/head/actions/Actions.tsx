import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconFilePlus, IconGavel, IconRadar, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { Link } from 'wouter'
import { ofEntity } from '../../../../parts/watch/suggest.ts'
import { WatchButton } from '../../../../parts/watch/WatchButton.tsx'
import { type Caller, type Role, useCaller, useMay, useSignedIn } from '../../../../session/caller.ts'
import type { Details } from '../../answers.ts'
import type { Standing } from '../useStanding.ts'
import type { ActionProps } from './action-props.ts'
import { ClearMarkDialog } from './ClearMarkDialog.tsx'
import { ReportDialog } from './ReportDialog.tsx'
import { ScanDialog } from './ScanDialog.tsx'
import { VerdictDialog } from './VerdictDialog.tsx'
import { WellKnownDialog } from './WellKnownDialog.tsx'

type Action = {
  name: string
  icon: typeof IconRadar
  needs: Role
  dialog: ComponentType<ActionProps>
  fits: (entity: Details, caller: Caller | null, standing: Standing) => boolean
}

const ACTIONS: Action[] = [
  { name: 'Report again or tag', icon: IconFilePlus, needs: 'reporter', dialog: ReportDialog, fits: () => true },
  {
    name: 'Mark well known',
    icon: IconShieldCheck,
    needs: 'trusted',
    dialog: WellKnownDialog,
    fits: ({ wellKnown }) => !wellKnown,
  },
  {
    name: 'Clear the mark',
    icon: IconShieldOff,
    needs: 'trusted',
    dialog: ClearMarkDialog,
    fits: ({ wellKnown }, caller) => wellKnown && mayClear(caller),
  },
  {
    name: 'Verdict',
    icon: IconGavel,
    needs: 'user',
    dialog: VerdictDialog,
    fits: (_, caller, { retracted }) => !retracted && caller !== null && caller.customer !== null,
  },
  {
    name: 'Scan',
    icon: IconRadar,
    needs: 'user',
    dialog: ScanDialog,
    fits: ({ type }) => type === 'ip' || type === 'domain',
  },
]

/** A mark is taken back by whoever may mark and administers (decisions 17.2). */
const mayClear = (caller: Caller | null): boolean =>
  caller !== null && (caller.administrator || caller.roles.includes('auth_admin'))

/** The actions that the caller may do with the entity, or the reason why there are none. */
export function Actions({ entity, standing, acknowledged }: Omit<ActionProps, 'close'> & { standing: Standing }) {
  const signedIn = useSignedIn()
  const caller = useCaller()
  const may: { [role in Role]?: boolean } = {
    reporter: useMay('reporter'),
    trusted: useMay('trusted'),
    user: useMay('user'),
  }
  const [open, setOpen] = useState<Action | null>(null)
  const offered = ACTIONS.filter(({ needs, fits }) => may[needs] === true && fits(entity, caller ?? null, standing))
  if (!signedIn)
    return (
      <Text size="sm" c="dimmed">
        You see public data only.{' '}
        <Anchor component={Link} href="/sign-in" size="sm" underline="always">
          Sign in
        </Anchor>{' '}
        to report, comment and scan.
      </Text>
    )
  return (
    <>
      <Group gap="xs" data-testid="actions">
        {offered.map((action) => (
          <Button
            key={action.name}
            size="xs"
            variant="default"
            leftSection={<action.icon size={16} aria-hidden />}
            onClick={() => setOpen(action)}
          >
            {action.name}
          </Button>
        ))}
        <WatchButton suggestions={ofEntity(entity)} />
        {caller && !may.reporter && (
          <Text size="sm" c="dimmed">
            You can read this entity. Reports, tags and relations need the role reporter, which an administrator can
            assign.
          </Text>
        )}
      </Group>
      {open && <open.dialog entity={entity} close={() => setOpen(null)} acknowledged={acknowledged} />}
    </>
  )
}
