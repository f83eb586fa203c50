/** The folder with the built page, for a coordinator to serve. */
export declare const pageFolder: string;
