import { Button, NumberInput, Radio, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { notifyProblem } from "../ui/notify.ts";
import { forgetRequest, keyOfRequest } from "../ui/request-key.ts";
import { NewToken } from "./new-token.tsx";

type Role = Schemas["OperatorToken"]["role"];
type CreatedToken = Schemas["CreatedOperatorToken"];

const REQUEST = "new-token-request";
export const LOST_TOKEN =
  "The first attempt created this token, but the response was lost, and a token is shown only once. Revoke it and create another.";

const NAME_LENGTH_MAX = 100;
const LIFE_DAYS_MAX = 3_650;
const LIFE_DAYS_DEFAULT = 90;

export const ROLES: readonly { role: Role; explanation: string }[] = [
  { role: "operator", explanation: "Everything: review merchants, run campaigns, record payouts, manage tokens." },
  { role: "viewer", explanation: "Read-only: sees everything and cannot change anything." },
  {
    role: "ingest",
    explanation: "For the hosted flow: reports deposits and checks origins. It cannot sign in to the console.",
  },
];

export function CreateToken() {
  const [isOpen, { open, close }] = useDisclosure();
  const [created, setCreated] = useState<CreatedToken | null>(null);

  function show(token: CreatedToken | null): void {
    close();
    setCreated(token);
  }

  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} />}>
        New token
      </Button>
      {isOpen && <CreateTokenDialog onClose={show} />}
      {created !== null && <NewToken created={created} onClose={() => setCreated(null)} />}
    </>
  );
}

function CreateTokenDialog({ onClose }: { onClose: (created: CreatedToken | null) => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [days, setDays] = useState<number | string>(LIFE_DAYS_DEFAULT);
  // The token is not kept with the request after the dialog that shows it is closed.
  const created = useRef<CreatedToken | null>(null);
  const create = api.useMutation("post", "/operator/v1/tokens", { gcTime: 0 });
  return (
    <FormDialog
      title="New token"
      submitLabel="Create token"
      onClose={() => onClose(created.current)}
      canSubmit={name.trim() !== "" && typeof days === "number"}
      onSubmit={async () => {
        const body = { name: name.trim(), role, expiresInDays: Number(days) };
        const header = { "idempotency-key": keyOfRequest(REQUEST, body) };
        const answer = await create.mutateAsync({ params: { header }, body });
        // The same request again, once it is approved, must have the same key.
        if ("approval" in answer) return answer;
        forgetRequest(REQUEST);
        if ("token" in answer) created.current = answer;
        else notifyProblem("Could not show the token", LOST_TOKEN);
        return answer;
      }}
    >
      <TextInput
        label="Name"
        description="Who or what uses it. The audit log shows this name."
        required
        maxLength={NAME_LENGTH_MAX}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Radio.Group
        label="Role"
        value={role}
        onChange={(chosen) => setRole(ROLES.find((one) => one.role === chosen)?.role ?? "viewer")}
      >
        <Stack gap="xs" mt="xs">
          {ROLES.map((one) => (
            <Radio key={one.role} value={one.role} label={one.role} description={one.explanation} />
          ))}
        </Stack>
      </Radio.Group>
      <NumberInput
        label="Valid for (days)"
        required
        min={1}
        max={LIFE_DAYS_MAX}
        allowDecimal={false}
        clampBehavior="strict"
        value={days}
        onChange={setDays}
      />
    </FormDialog>
  );
}
