import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { explainMailFault } from './faults.ts'
import { SessionCode } from './SessionCode.tsx'

/** The form for a new account. The account exists once its mailed code is verified. */
export function Register() {
  const form = useForm({
    initialValues: { email: '', fullName: '', alias: '' },
    validate: {
      email: (email) => (/^[^@\s]+@[^@\s]+$/.test(email.trim()) ? null : 'Enter an address such as ada@example.com'),
    },
    transformValues: ({ email, fullName, alias }) => ({
      email: email.trim(),
      fullName: fullName.trim(),
      alias: alias.trim(),
    }),
  })
  const opening = api.useMutation('post', '/auth/v2/user')
  const { data } = opening
  const register = () => opening.mutate({ body: form.getTransformedValues() })
  if (data !== undefined)
    return (
      <SessionCode
        session={data}
        email={form.getTransformedValues().email}
        action="Create the account"
        again={register}
        change={opening.reset}
      />
    )
  const problem = opening.error && asProblem(opening.error)
  const explanation = problem ? explainMailFault(problem) : undefined
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() => {
        if (!opening.isPending) register()
      })}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          {...form.getInputProps('email')}
        />
        <TextInput label="Full name" autoComplete="name" maxLength={200} {...form.getInputProps('fullName')} />
        <TextInput
          label="Alias"
          description="The name that the console shows"
          autoComplete="nickname"
          maxLength={100}
          {...form.getInputProps('alias')}
        />
        {problem && <ErrorAlert error={problem} explanation={explanation} />}
        <Button type="submit" loading={opening.isPending}>
          Mail me a code
        </Button>
        <Text size="xs" c="dimmed">
          A new account can read public data. An administrator can assign roles to it, and a team owner can add it to a
          team. If an account with this email exists, you are signed in to it.
        </Text>
      </Stack>
    </form>
  )
}
