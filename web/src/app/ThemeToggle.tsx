import { Button } from '../ui/Button';
import { MoonIcon, SunIcon } from '../ui/icons/icons';
import { useTheme } from './theme';

export function ThemeToggle() {
  const { theme, choose } = useTheme();
  const other = theme === 'light' ? 'dark' : 'light';
  return (
    <Button look="icon" aria-label={`Switch to ${other} theme`} onClick={() => choose(other)}>
      {theme === 'light' ? <MoonIcon /> : <SunIcon />}
    </Button>
  );
}
