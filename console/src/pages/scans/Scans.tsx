import { Group, SegmentedControl, Select, Stack, Title } from '@mantine/core'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { useCaller, useMay } from '../../session/caller.ts'
import { ScanDetail } from './ScanDetail.tsx'
import { ScanList } from './ScanList.tsx'
import { Schedule } from './Schedule.tsx'
import { isScanStatus, SCAN_STATES } from './states.ts'

/** `/scans?status=&page=&id=&whose=all`: the list of requested scans, and a form to request one. */
export default function Scans() {
  return (
    <Page title="Scans" about="Scan an address or a host and report what is found. Scans are kept for 7 days.">
      <RoleRequired needs="user" purpose="To scan">
        <Body />
      </RoleRequired>
    </Page>
  )
}

function Body() {
  const administrator = useMay('auth_admin')
  const caller = useCaller()
  const [whose, setWhose] = useParameter('whose')
  const [status, setStatus] = useParameter('status')
  const [id, setId] = useParameter('id')
  const [page, setPage] = useParameter('page')
  // The administrator of the configuration has no scans of its own worth a list of them.
  const every = administrator && whose === 'all'
  const narrow = (change: () => void) => {
    setPage('')
    change()
  }
  return (
    <Stack gap="lg">
      <Schedule opened={setId} />
      {id !== null && <ScanDetail key={id} id={id} every={every} close={() => setId('')} />}
      <Stack gap="sm">
        <Group justify="space-between" align="end" gap="sm">
          <Title order={2} size="h4">
            {every ? 'All scans' : 'Your scans'}
          </Title>
          <Group gap="sm" align="end">
            {administrator && caller && (
              <SegmentedControl
                aria-label="Owner of the scans"
                value={every ? 'all' : 'own'}
                onChange={(to) => narrow(() => setWhose(to === 'all' ? 'all' : ''))}
                data={[
                  { value: 'own', label: 'Yours' },
                  { value: 'all', label: 'All' },
                ]}
              />
            )}
            <Select
              aria-label="State"
              w={150}
              value={isScanStatus(status) ? status : ''}
              onChange={(to) => narrow(() => setStatus(to ?? ''))}
              allowDeselect={false}
              data={[
                { value: '', label: 'Any state' },
                ...Object.entries(SCAN_STATES).map(([value, { label }]) => ({ value, label })),
              ]}
            />
          </Group>
        </Group>
        <ScanList
          every={every}
          status={isScanStatus(status) ? status : null}
          page={Math.max(1, Math.trunc(Number(page)) || 1)}
          setPage={(to) => setPage(to === 1 ? '' : String(to))}
          open={setId}
        />
      </Stack>
    </Stack>
  )
}
