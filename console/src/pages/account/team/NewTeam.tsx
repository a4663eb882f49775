import { Button, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../../api/client.ts'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { CountryInput } from '../../../parts/form/CountryInput.tsx'
import { readCountry } from '../../../parts/form/countries.ts'
import type { Caller } from '../../../session/caller.ts'
import { useTeamChange } from './useTeamChange.ts'

const required = (value: string) => (value.trim() === '' ? 'Required' : null)

/** For callers without a team: join a team, or create one. */
export function NewTeam({ caller }: { caller: Caller }) {
  const changed = useTeamChange()
  const create = api.useMutation('post', '/api/billing/v1/customer', { onSuccess: changed })
  const form = useForm({
    initialValues: {
      name: '',
      email: caller.email ?? '',
      street: '',
      postalCode: '',
      city: '',
      state: '',
      country: '',
    },
    validate: {
      name: required,
      email: (email) =>
        /^[^@\s]+@[^@\s]+$/.test(email.trim()) ? null : 'Enter an address such as billing@example.com',
      street: required,
      postalCode: required,
      city: required,
      country: (text) => {
        const read = text.trim() === '' ? { fault: 'Required' } : readCountry(text)
        return 'fault' in read ? read.fault : null
      },
    },
  })
  if (caller.administrator)
    return (
      <EmptyState title="No team">
        The configured administrator has no account and cannot be in a team. Sign in with a personal account to create
        one.
      </EmptyState>
    )
  const found = form.onSubmit(({ name, email, ...address }) => {
    if (create.isPending) return
    const country = readCountry(address.country)
    const given = { ...address, ...('name' in country && { country: country.name }) }
    const billingAddress = Object.fromEntries(Object.entries(given).map(([part, text]) => [part, text.trim()]))
    create.mutate({
      body: { name: name.trim(), email: email.trim(), billingAddress: billingAddress as typeof address },
    })
  })
  return (
    <Stack gap="lg">
      <Paper withBorder p="md">
        <Stack gap="xs">
          <Title order={2} size="h4">
            Join a team
          </Title>
          <Text size="sm">
            Give your email address or your user id to an owner or admin of the team. An invitation comes by mail. This
            page updates when you are added.
          </Text>
          <Copyable value={caller.userID} what="your user id" />
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <form noValidate onSubmit={found}>
          <Stack gap="sm" maw={640}>
            <Title order={2} size="h4">
              Create a team
            </Title>
            <Text size="sm" c="dimmed">
              You become its owner. The team starts on the free tier, which has higher limits than an account without a
              team.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput label="Name of the team" required maxLength={200} {...form.getInputProps('name')} />
              <TextInput label="Billing email" type="email" required maxLength={254} {...form.getInputProps('email')} />
              <TextInput
                label="Street"
                required
                autoComplete="street-address"
                maxLength={200}
                {...form.getInputProps('street')}
              />
              <TextInput
                label="Postal code"
                required
                autoComplete="postal-code"
                maxLength={20}
                {...form.getInputProps('postalCode')}
              />
              <TextInput
                label="City"
                required
                autoComplete="address-level2"
                maxLength={100}
                {...form.getInputProps('city')}
              />
              <TextInput
                label="State or region"
                autoComplete="address-level1"
                maxLength={100}
                {...form.getInputProps('state')}
              />
              <CountryInput
                label="Country"
                required
                autoComplete="country-name"
                maxLength={100}
                value={form.values.country}
                change={(country) => form.setFieldValue('country', country)}
                error={form.errors.country}
              />
            </SimpleGrid>
            {create.error && <ErrorAlert error={create.error} />}
            <Button type="submit" loading={create.isPending} w="fit-content">
              Create the team
            </Button>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
