// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTest {
    @Test
    void memoryIsNoDiskAndADiskIsNoMemory(@TempDir Path folder) throws IOException {
        boolean memory = Disk.inMemory(Files.getFileStore(folder).type());

        assertThat(Disk.notOnDisk(folder).isPresent()).isEqualTo(memory);
        assertThat(memory || Disk.notInMemory(folder).orElse("").endsWith("which is not memory"))
                .isTrue();
        assertThat(Disk.inMemory("tmpfs")).isTrue();
        assertThat(Disk.inMemory("ramfs")).isTrue();
        assertThat(Disk.inMemory("ext4")).isFalse();
    }

    @Test
    void aFolderThatIsMissingIsNoMemory(@TempDir Path folder) {
        assertThat(Disk.notInMemory(folder.resolve("no")).orElse("")).startsWith("there is no folder");
    }
}
