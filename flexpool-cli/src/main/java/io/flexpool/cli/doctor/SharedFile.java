// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileOwnerAttributeView;

/**
 * A temporary file shared with another process, which may have another file system and user. Closing deletes the file.
 *
 * @param here the path for this program
 * @param there the path for the other process
 */
record SharedFile(Path here, String there) implements AutoCloseable {
    private static final String NAME = "flexpool-doctor";

    static SharedFile of(long pid, String suffix) throws IOException {
        Path root = Path.of("/proc", String.valueOf(pid), "root");
        Path folder = root.resolve("tmp");
        // Refuses links, which would be resolved in this file system instead of the other process's.
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !Files.isWritable(folder)) {
            Path file = Files.createTempFile(NAME, suffix);
            return new SharedFile(file, file.toString());
        }
        Path file = Files.createTempFile(folder, NAME, suffix);
        try {
            Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setOwner(Files.getOwner(root.resolveSibling("status")));
        } catch (IOException ended) {
            Files.deleteIfExists(file);
            throw ended;
        }
        return new SharedFile(file, "/" + root.relativize(file));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(here);
    }
}
