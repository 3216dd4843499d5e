import { List, Modal, Stack } from "@mantine/core";
import { api } from "../api/client.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { DialogButton } from "../ui/dialog-button.tsx";
import { formatCount } from "../ui/format.ts";
import { ShowMore } from "../ui/show-more.tsx";
import { useReturnedFocus } from "../ui/use-returned-focus.ts";

interface UserWalletsProps {
  readonly merchantId: string;
  readonly userId: string;
  readonly walletCount: number;
}

/** How many wallets a user deposited into. A click shows them, page by page. */
export function UserWallets(props: UserWalletsProps) {
  return (
    <DialogButton
      label={formatCount(props.walletCount)}
      aria-label={`Wallets of user ${props.userId}: ${formatCount(props.walletCount)}`}
      variant="subtle"
      size="compact-sm"
    >
      {(close) => <WalletsDialog {...props} onClose={close} />}
    </DialogButton>
  );
}

function WalletsDialog({ merchantId, userId, walletCount, onClose }: UserWalletsProps & { onClose: () => void }) {
  const wallets = api.useInfiniteQuery(
    "get",
    "/operator/v1/merchants/{merchantId}/users/{userId}/wallets",
    { params: { path: { merchantId, userId }, query: { limit: 100 } } },
    byCursor,
  );
  useReturnedFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={walletCount === 1 ? "1 wallet" : `${formatCount(walletCount)} wallets`}
      size="lg"
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        <List listStyleType="none" spacing={4} size="sm">
          {wallets.data?.pages
            .flatMap((page) => page.items)
            .map(({ embeddedWalletAddress: address, chain }) => (
              <List.Item key={`${address} ${chain.chainId}`}>
                <Copyable value={address} label={`wallet ${address} on ${chain.name}`} /> on {chain.name}
              </List.Item>
            ))}
        </List>
        <ShowMore pages={wallets} />
      </Stack>
    </Modal>
  );
}
