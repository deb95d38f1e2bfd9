import { useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useApi, useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input, PasswordInput } from '../../components/input.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ClockTime, RelativeTime } from '../../components/time.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import { useProfile, useSignOut } from '../../shell/user-menu.tsx'
import type { Profile, ProfileChange } from '../../wire.ts'

/** Who is signed in: their address and password, and the end of their sessions. */
export default function ProfilePage() {
  const query = useProfile()
  const signOut = useSignOut()
  return (
    <Page title="Profile" width="form">
      <Loaded query={query} what="Your profile could not be read">
        {(profile) => (
          <div className="grid gap-4">
            <Card title="You">
              <Facts
                items={[
                  ['E-mail', profile.email],
                  ['Role', profile.role],
                  ['Since', <ClockTime key="since" at={profile.created_at} />],
                  ['Last sign-in', <RelativeTime key="last" at={profile.last_sign_in_at} />],
                ]}
              />
            </Card>
            <Card title="Change e-mail or password">
              <ProfileForm profile={profile} />
            </Card>
            <Card title="Sessions">
              <p className="mb-3 text-dense text-muted">
                Signing out ends every session of yours, in this browser and everywhere else. Keys go on working.
              </p>
              <Button icon={LogOut} onClick={() => void signOut()}>
                Sign out everywhere
              </Button>
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const api = useApi()
  const queries = useQueryClient()
  const toasts = useToasts()
  const form = useForm({
    initial: { email: profile.email, password: '', current_password: '' },
    async save({ changes, value }) {
      const body: ProfileChange = { ...changes, current_password: value.current_password }
      queries.setQueryData(['/v1/auth/me', {}], await api.patch<Profile>('/v1/auth/me', body))
      toasts.done(
        changes.password === undefined ? 'Profile changed' : 'Password changed. Your other sessions have ended.',
      )
    },
  })
  return (
    <Form form={form} saveLabel="Change">
      <Field label="E-mail" name="email" hint="Only used to sign in.">
        <Input type="email" autoComplete="username" {...form.text('email')} />
      </Field>
      <Field
        label="New password"
        name="password"
        aside="optional"
        hint="At least 12 characters. Ends your other sessions."
      >
        <PasswordInput autoComplete="new-password" {...form.text('password')} />
      </Field>
      <Field label="Current password" name="current_password">
        <PasswordInput autoComplete="current-password" {...form.text('current_password')} />
      </Field>
    </Form>
  )
}
