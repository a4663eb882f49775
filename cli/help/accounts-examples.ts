import type { Example } from './example.ts'

const USER = 'ada@example.com'
const SCAN = '0199d3a4-5b6c-7d8e-9f00-112233445566'

export const ACCOUNTS: Readonly<Record<string, readonly Example[]>> = {
  init: [
    ['init --team "Blue team"', 'Create the first user with its team, and print the variables.'],
    ['init --email ada@example.com > ada.env', 'Keep the variables in a file, for: . ./ada.env'],
  ],
  'user list': [
    ['user list', 'List the users, newest first.'],
    ['user list --query example.com --role reporter --json', 'Find reporters by a part of their address.'],
  ],
  'user create': [
    [
      `user create --email ${USER} --full-name "Ada Lovelace" --role user --role reporter`,
      'Create a user who may report.',
    ],
  ],
  'user show': [[`user show ${USER}`, 'Show a user by address; an id works as well.']],
  'user disable': [[`user disable ${USER}`, 'Refuse every credential of a user.']],
  'user enable': [[`user enable ${USER}`, 'Accept the credentials again.']],
  'user roles': [[`user roles ${USER} user reporter`, 'Give a user exactly these two roles.']],
  'keypair create': [
    [`keypair create ${USER} --name laptop --days 90`, 'Create a key pair; the secret is shown once.'],
    [`keypair create ${USER} --scope read --network 10.1.0.0/16`, 'Create one that only reads, from one network.'],
  ],
  'customer list': [['customer list', 'List the customers, oldest first.']],
  'customer show': [['customer show Acme', 'Show a customer by name; an id works as well.']],
  'customer subscription': [
    ['customer subscription Acme --tier Pro --quantity 3', 'Set the tier and multiply its quotas by three.'],
    [
      'customer subscription billing@example.com --cancel',
      'Cancel the subscription of the customer with this address.',
    ],
  ],
  'scan list': [['scan list --status running', 'List the scans that are running.']],
  'scan show': [[`scan show ${SCAN}`, 'Show a scan with its findings.']],
  'scan retry': [[`scan retry ${SCAN}`, 'Queue a finished scan again.']],
  reconcile: [['reconcile --dry-run', 'Show what would be repaired, and change nothing.']],
  'sql-user add': [
    ['sql-user add grafana --groups public', 'Let a program read public rows in SQL; the password is shown once.'],
  ],
  'sql-user list': [['sql-user list', 'List the users with their groups and limits.']],
  'sql-user remove': [['sql-user remove grafana', 'Remove a user.']],
  'sql-user password': [['sql-user password grafana', 'Set a new password; it is shown once.']],
  'sql-user refresh': [['sql-user refresh', 'Grant all users the views of this release.']],
}
