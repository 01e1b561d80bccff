import { Field } from '../../../ui/form/Field';

interface PasswordFieldProps {
  label?: string;
  isNew?: boolean;
  isFirst?: boolean;
  value: string;
  onChange: (value: string) => void;
}

export function PasswordField(props: PasswordFieldProps) {
  return (
    <Field
      label={props.label ?? 'Your password'}
      type="password"
      value={props.value}
      autoComplete={props.isNew ? 'new-password' : 'current-password'}
      maxLength={1024}
      {...(props.isFirst && { 'data-first': '' })}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
