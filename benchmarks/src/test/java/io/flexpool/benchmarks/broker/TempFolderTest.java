// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TempFolderTest {
    @Test
    void whatOthersWriteAndDeleteMeanwhileIsGoneAtTheEnd(@TempDir Path parent)
            throws IOException, InterruptedException {
        TempFolder folder = TempFolder.in(parent);
        Path inner = Files.createDirectory(folder.path().resolve("inner"));
        for (int file = 0; file < 200; file++) {
            Files.createFile(inner.resolve("lasting" + file));
        }
        AtomicBoolean end = new AtomicBoolean();
        CountDownLatch writing = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            while (!end.get()) {
                makeAndDelete(inner);
                writing.countDown();
            }
        });
        writer.start();
        writing.await();
        Thread ending = new Thread(() -> {
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            end.set(true);
        });
        ending.start();

        folder.close();

        end.set(true);
        writer.join();
        ending.join();
        assertThat(parent).isEmptyDirectory();
    }

    private static void makeAndDelete(Path folder) {
        try {
            if (Files.isDirectory(folder)) {
                List<Path> files = List.of(folder.resolve("a"), folder.resolve("b"), folder.resolve("c"));
                for (Path file : files) {
                    Files.writeString(file, "x");
                }
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException e) {
            // The folder was deleted just now.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
