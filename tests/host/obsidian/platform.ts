/**
 * The app version whose documented API (`obsidian.d.ts` of the same number) the simulated Obsidian
 * follows.
 */
export const apiVersion = '1.13.1';

export function requireApiVersion(version: string): boolean {
  const wanted = version.split('.').map(Number);
  const own = apiVersion.split('.').map(Number);
  const difference = own
    .map((part, index) => part - (wanted[index] ?? 0))
    .find((part) => part !== 0);
  return (difference ?? 0) >= 0;
}

export const Platform = {
  isDesktop: true,
  isMobile: false,
  isDesktopApp: true,
  isMobileApp: false,
  isIosApp: false,
  isAndroidApp: false,
  isPhone: false,
  isTablet: false,
  isMacOS: false,
  isWin: false,
  isLinux: true,
  isSafari: false,
  resourcePathPrefix: 'app://local/',
};

/** Mobile means Android here, whose web view is Chromium, as in the Chromium host. */
export function setPlatform(isMobile: boolean): void {
  const agent = window.navigator.userAgent;
  Object.assign(Platform, {
    isDesktop: !isMobile,
    isDesktopApp: !isMobile,
    isMobile,
    isMobileApp: isMobile,
    isAndroidApp: isMobile,
    isPhone: isMobile,
    isMacOS: !isMobile && agent.includes('Macintosh'),
    isWin: !isMobile && agent.includes('Windows'),
    isLinux: !isMobile && !agent.includes('Macintosh') && !agent.includes('Windows'),
    resourcePathPrefix: isMobile ? 'http://localhost/_capacitor_file_/' : 'app://local/',
  });
}

export function getLanguage(): string {
  return window.localStorage.getItem('language') ?? 'en';
}
