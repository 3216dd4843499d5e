import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";

interface DialogButtonProps extends Omit<ButtonProps, "children"> {
  readonly label: string;
  /** The dialog. It is mounted only while it is open, so what is typed into it is gone when it closes. */
  readonly children: (close: () => void) => ReactNode;
}

export function DialogButton({ label, children, ...button }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      {isOpen && children(close)}
    </>
  );
}
