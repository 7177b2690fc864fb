// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Opens files that only the owner can read, without following links: other users may place files in the directory. On a
 * file system without such permissions those of the directory apply.
 */
final class PrivateFile {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFile() {}

    /** Creates a file; replaces a file or link of that name. */
    static FileChannel create(Path file) throws IOException {
        Files.deleteIfExists(file);
        return open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /** Opens an existing or new file; fails if it is a link. */
    static FileChannel open(Path file) throws IOException {
        return open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    private static FileChannel open(Path file, Set<OpenOption> how) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix ? FileChannel.open(file, how, OWNER_ONLY) : FileChannel.open(file, how);
    }
}
