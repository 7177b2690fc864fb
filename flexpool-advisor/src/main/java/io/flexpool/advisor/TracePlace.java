// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The file of one pool: the first free of {@code orders.fpt}, {@code orders-2.fpt} and so on. A lock on a file beside
 * it excludes other pools, also of other programs; the operating system releases it at any end of the program. The file
 * of the previous run is kept as {@code orders.before.fpt}. Links in the directory are not followed.
 */
final class TracePlace implements Closeable {
    private static final int MOST = 100;
    private static final String SUFFIX = ".fpt";
    /**
     * The files that this program has locked. A lock belongs to the whole program, and closing any channel of its file
     * would release it.
     */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    final Path file;
    private final Path lockFile;
    private final FileChannel lock;

    private TracePlace(Path file, Path lockFile, FileChannel lock) {
        this.file = file;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    static TracePlace take(Path directory, String pool) throws IOException {
        Path folder = Files.createDirectories(directory).toRealPath();
        String name = pool.replaceAll("[^A-Za-z0-9._-]|^\\.", "_");
        for (int number = 1; number <= MOST; number++) {
            String numbered = number == 1 ? name : name + "-" + number;
            Path lockFile = folder.resolve(numbered + ".lock");
            if (TAKEN.add(lockFile)) {
                FileChannel lock = locked(lockFile);
                if (lock != null) {
                    TracePlace place = new TracePlace(folder.resolve(numbered + SUFFIX), lockFile, lock);
                    place.keepBefore(folder.resolve(numbered + ".before" + SUFFIX));
                    return place;
                }
            }
        }
        throw new IOException(folder + ": " + MOST + " files of " + name + " are in use by other processes");
    }

    /**
     * Null if another program has the lock, or the file is a link. Then, and after an exception, the name is free again
     * in this program.
     */
    private static @Nullable FileChannel locked(Path lockFile) throws IOException {
        boolean mine = false;
        try {
            if (Files.isSymbolicLink(lockFile)) {
                return null;
            }
            FileChannel lock = PrivateFile.open(lockFile);
            try {
                mine = lock.tryLock() != null;
            } catch (OverlappingFileLockException ofAnotherLoader) {
                mine = false;
            } finally {
                if (!mine) {
                    lock.close();
                }
            }
            return mine ? lock : null;
        } finally {
            if (!mine) {
                TAKEN.remove(lockFile);
            }
        }
    }

    private void keepBefore(Path before) throws IOException {
        try {
            deleteLinks(file, TraceWriter.older(file), before, TraceWriter.older(before));
            if (Files.exists(file)) {
                Files.move(file, before, StandardCopyOption.REPLACE_EXISTING);
                Files.deleteIfExists(TraceWriter.older(before));
            }
            if (Files.exists(TraceWriter.older(file))) {
                Files.move(TraceWriter.older(file), TraceWriter.older(before), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Deletes links, which are no files of a previous run. */
    private static void deleteLinks(Path... files) throws IOException {
        for (Path each : files) {
            if (Files.isSymbolicLink(each)) {
                Files.delete(each);
            }
        }
    }

    @Override
    public void close() throws IOException {
        TAKEN.remove(lockFile);
        lock.close();
    }
}
