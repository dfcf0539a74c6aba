"""Drives a headless Chromium over its debugging pipe: no port, no network, the standard library alone."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One browser with one page.  `errors` has the errors and warnings of the page, `requests` the addresses that it
    requested."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix='haichi-browser-')
        self.downloads = os.path.join(self.profile, 'downloads')
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ['/bin/sh', '-c', f'exec 3<&{to_browser} 4>&{from_browser} "$@"', 'sh', 'chromium',
             '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
             '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking',
             '--user-data-dir=' + self.profile, 'about:blank'],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b''
        self.number = 0
        self.errors, self.requests, self.events = [], [], []
        target = self.call('Target.createTarget', url='about:blank', session=None)['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True, session=None)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network', 'Accessibility'):
            self.call(domain + '.enable')
        self.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=self.downloads, session=None)

    def close(self):
        try:
            self.call('Browser.close', session=None)
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, seconds):
        """The next message; None if none comes within the seconds."""
        end = time.monotonic() + seconds
        while b'\0' not in self.rest:
            ready, _, _ = select.select([self.input], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            data = os.read(self.input, 1 << 20)
            if not data:
                raise OSError('the browser has ended')
            self.rest += data
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def take(self, message):
        """Keeps the errors and requests that an event reports."""
        method, what = message.get('method', ''), message.get('params', {})
        self.events.append(method)
        if method == 'Runtime.exceptionThrown':
            self.errors.append(what['exceptionDetails'].get('exception', {}).get(
                'description', what['exceptionDetails']['text']))
        elif method == 'Log.entryAdded' and what['entry']['level'] in ('error', 'warning'):
            self.errors.append(what['entry']['text'])
        elif method == 'Runtime.consoleAPICalled' and what['type'] in ('error', 'warning', 'assert'):
            self.errors.append(json.dumps(what['args']))
        elif method == 'Page.javascriptDialogOpening':
            self.errors.append('a dialog: ' + what['message'])
        elif method == 'Network.requestWillBeSent':
            self.requests.append(what['request']['url'])

    def call(self, method, session='', seconds=60, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if session is not None:
            message['sessionId'] = session or self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.output, data):]
        end = time.monotonic() + seconds
        while True:
            answer = self.receive(end - time.monotonic())
            if answer is None:
                raise TimeoutError(method)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(method + ': ' + answer['error']['message'])
                return answer['result']
            self.take(answer)

    def listen(self, seconds):
        """Takes events for a while."""
        end = time.monotonic() + seconds
        while (message := self.receive(end - time.monotonic())) is not None:
            self.take(message)

    def open(self, path):
        self.errors.clear()
        self.requests.clear()
        self.events.clear()
        self.call('Page.navigate', url='file://' + os.path.abspath(path))
        end = time.monotonic() + 60
        while 'Page.loadEventFired' not in self.events:
            message = self.receive(end - time.monotonic())
            if message is None:
                raise TimeoutError('the page does not load')
            self.take(message)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call('Runtime.evaluate', expression=script, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(script + ': ' + json.dumps(answer['exceptionDetails']))
        return answer['result'].get('value')

    def key(self, key, text=None):
        code = {'Tab': 9, 'Enter': 13, ' ': 32}.get(key, 0)
        shared = {'key': key, 'code': key, 'windowsVirtualKeyCode': code}
        self.call('Input.dispatchKeyEvent', type='keyDown', text=text or '', **shared)
        self.call('Input.dispatchKeyEvent', type='keyUp', **shared)

    def look(self, width=1280, height=900, scheme='light', mobile=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=mobile)
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def picture(self, path, whole=False):
        data = self.call('Page.captureScreenshot', captureBeyondViewport=whole)['data']
        with open(path, 'wb') as f:
            f.write(base64.b64decode(data))

    def print(self, path):
        data = self.call('Page.printToPDF', printBackground=False, preferCSSPageSize=True)['data']
        with open(path, 'wb') as f:
            f.write(base64.b64decode(data))
